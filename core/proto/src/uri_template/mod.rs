//! URI templates. Filled in shortly.
