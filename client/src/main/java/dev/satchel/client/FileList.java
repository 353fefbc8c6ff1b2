package dev.satchel.client;

import dev.satchel.client.model.FileInfo;
import java.util.List;

record FileList(List<FileInfo> files) {}
