"""Maps from the names of common skeletons to ours, in YAML files beside this one."""
