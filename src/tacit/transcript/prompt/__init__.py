"""A prompt taken apart: whose words it holds, by the shape of its lines and what leads to them."""
