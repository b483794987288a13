//! What is worth observing, and who looks at it: logs, metrics, traces.
