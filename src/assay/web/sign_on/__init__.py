"""Sign-on with accounts of a school or firm: OpenID Connect, LTI 1.3, and SCIM, which provisions them."""
