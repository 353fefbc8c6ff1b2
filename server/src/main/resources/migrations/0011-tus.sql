-- More of tus: lengths that are known later, and uploads that are put together from parts. `announced` is -1 until the length is known.
-- Runs with step 3

-- The header of the request, which a HEAD repeats.
ALTER TABLE upload ADD COLUMN metadata TEXT;

-- `partial`, or `final` with the uploads that it consists of, as the header of the request has it; NULL for any other upload.
ALTER TABLE upload ADD COLUMN concat TEXT;
