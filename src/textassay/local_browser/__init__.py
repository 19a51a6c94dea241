"""A browser that is installed on this machine: found, started without a window, and told what to do.

It takes pictures of pages and prints reports. Nothing is downloaded, and no library stands between: `devtools` speaks
the browser's own protocol.
"""
