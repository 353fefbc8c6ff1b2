CREATE INDEX bag_file_by_tenant ON bag_file (tenant_id, conversation_id);

CREATE INDEX snapshot_by_tenant ON snapshot (tenant_id);

CREATE INDEX upload_by_tenant ON upload (tenant_id);
