-- The index of the search, and the texts of files. The files beside this one have what differs between the databases.

-- The texts that were read from documents, by content: the same bytes are read once for all files of a tenant.
-- Owner: document
CREATE TABLE document_text (
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    sha256 TEXT NOT NULL, -- of the files
    storage_key TEXT, -- the object with the lines of the document; NULL when there is no text
    size BIGINT NOT NULL, -- of that object
    problem TEXT, -- why there is no text, or not all of it
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, sha256)
);

CREATE INDEX document_text_by_key ON document_text (storage_key) WHERE storage_key IS NOT NULL;

CREATE INDEX bag_file_by_content ON bag_file (tenant_id, sha256);

CREATE INDEX asset_by_content ON asset (tenant_id, sha256);

CREATE INDEX upload_by_content ON upload (tenant_id, sha256);

-- Files whose text is still to be read and indexed. A server takes a row until `due_at`.
-- Owner: search
CREATE TABLE search_task (
    item_id TEXT PRIMARY KEY,
    kind TEXT NOT NULL, -- file, asset
    tenant_id TEXT NOT NULL REFERENCES tenant (id),
    conversation_id TEXT REFERENCES conversation (id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    taken BIGINT NOT NULL DEFAULT 0, -- 1 while a server reads the file
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    problem TEXT -- of the last attempt
);

CREATE INDEX search_task_by_time ON search_task (due_at, item_id);

CREATE INDEX search_task_by_content ON search_task (tenant_id, sha256);

CREATE INDEX search_task_by_conversation ON search_task (conversation_id);
