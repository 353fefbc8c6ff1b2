package dev.satchel.client;

import java.util.List;

record FileInfos(List<FileInfo> files) {}
