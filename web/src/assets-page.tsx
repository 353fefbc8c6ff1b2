import { Suspense, lazy, useCallback, useEffect, useRef, useState } from "react";
import { ApiError, getJson, request, sendJson } from "./api";
import { copyText } from "./clipboard";
import { formatAge, formatSize, formatTime } from "./format";
import { Icon } from "./icons";
import { Page } from "./page";
import type { Previewed } from "./preview";
import { useHash } from "./router";
import { showToast, showError } from "./toasts";
import type { Asset } from "./types";

const Preview = lazy(() => import("./preview"));

const assetUrl = (id: string) => `/api/assets/${encodeURIComponent(id)}`;

function shown(asset: Asset): Previewed {
  const url = assetUrl(asset.id);
  return { ...asset, url, textUrl: `${url}/text` };
}

export default function AssetsPage({ openMenu }: { openMenu: () => void }) {
  const [search, setSearch] = useState("");
  const { assets, missing, reload } = useAssets(search);
  const [preview, setPreview] = useState<Previewed | null>(null);
  const hash = useHash();
  useEffect(() => {
    const found = assets.find((asset) => hash === `#/found/${encodeURIComponent(asset.id)}`);
    if (found) setPreview(shown(found));
  }, [assets, hash]);
  const picker = useRef<HTMLInputElement>(null);
  const upload = async (files: FileList | null) => {
    if (!files || files.length === 0) return;
    const form = new FormData();
    [...files].forEach((file) => form.append("file", file, file.name));
    try {
      await request("/api/assets", { method: "POST", body: form });
      reload();
    } catch (error) {
      showError("The assets were not saved.", error);
    }
  };
  const remove = async (asset: Asset) => {
    try {
      await sendJson("DELETE", assetUrl(asset.id));
      showToast(`Deleted “${asset.name}”.`);
      reload();
    } catch (error) {
      showError("The asset was not deleted.", error);
    }
  };
  return (
    <Page
      title="Assets"
      openMenu={openMenu}
      actions={
        <button type="button" className="button small" onClick={() => picker.current?.click()}>
          <Icon name="plus" />
          Add files
        </button>
      }
    >
      <p className="page-lead">
        Files that stay after a conversation is deleted. A turn copies one into its workspace with{" "}
        <code>/stage ID</code> or the tool <code>stage_asset</code>, and finds it with <code>/assets</code> or{" "}
        <code>list_assets</code>.
      </p>
      <input ref={picker} type="file" multiple hidden onChange={(event) => void upload(event.target.files)} />
      <label className="search">
        <Icon name="search" />
        <input
          type="search"
          placeholder="Search assets"
          aria-label="Search assets"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      {missing && <p className="notice">This server has no assets.</p>}
      <ul className="rows">
        {assets.map((asset) => (
          <li key={asset.id}>
            <button type="button" className="row-main" onClick={() => setPreview(shown(asset))}>
              <Icon name="file" />
              <span className="tree-name">{asset.name}</span>
              <span className="chip-size">{formatSize(asset.size)}</span>
              <time title={formatTime(asset.createdAt)}>{formatAge(asset.createdAt, Date.now())}</time>
            </button>
            <button
              type="button"
              className="icon-button small"
              title="Copy the command that stages it"
              aria-label={`Copy the command that stages ${asset.name}`}
              onClick={() => void copyText(`/stage ${asset.id}`).then((done) => done && showToast("Copied."))}
            >
              <Icon name="copy" />
            </button>
            <button
              type="button"
              className="icon-button small"
              aria-label={`Delete ${asset.name}`}
              onClick={() => void remove(asset)}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
      {assets.length === 0 && !missing && (
        <p className="files-empty">{search === "" ? "No assets yet. Add files that many chats need." : "Nothing found."}</p>
      )}
      <Suspense>{preview && <Preview file={preview} show={setPreview} close={() => setPreview(null)} />}</Suspense>
    </Page>
  );
}

function useAssets(search: string) {
  const [assets, setAssets] = useState<Asset[]>([]);
  const [missing, setMissing] = useState(false);
  const reload = useCallback(() => {
    getJson<{ assets: Asset[] }>(`/api/assets?limit=200&q=${encodeURIComponent(search)}`).then(
      (page) => setAssets(page.assets),
      (error: unknown) => setMissing(error instanceof ApiError && error.status === 404),
    );
  }, [search]);
  useEffect(reload, [reload]);
  return { assets, missing, reload };
}
