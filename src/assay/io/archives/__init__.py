"""What people hand in: files, folders and ZIPs within bounds, images in them, and whose they are."""
