package dev.satchel.client;

import java.util.List;

record FileList(List<FileInfo> files) {}
