"""From turns and decisions to memories: fed from the transcript, done as jobs, made again."""
