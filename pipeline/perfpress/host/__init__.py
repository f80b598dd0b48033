"""What runs on lab hosts and at the gate: capture, import, drafts, pushing, accepting."""
