"""What people draw: shapes, sets of them in columns, their images and attributes."""
