import { useEffect, useRef, useState } from "react";

/**
 * Runs HTML or SVG in a frame that can reach nothing: its origin is opaque, and the policy of /frame.html allows inline
 * scripts and styles only.
 */
export default function LivePreview({ name, text, source }: { name: string; text: string; source: React.ReactNode }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [asSource, setAsSource] = useState(false);
  useEffect(() => {
    const ready = (event: MessageEvent) => {
      const window = frame.current?.contentWindow;
      if (!window || event.source !== window || event.data !== "ready") return;
      removeEventListener("message", ready); // what the document says later is ignored
      window.postMessage(text, "*");
    };
    addEventListener("message", ready);
    return () => removeEventListener("message", ready);
  }, [text, asSource]);
  return (
    <>
      <p className="preview-note">
        It runs without network and without access to this page.{" "}
        <button type="button" className="link" onClick={() => setAsSource(!asSource)}>
          {asSource ? "Show it" : "Show the source"}
        </button>
      </p>
      {asSource ? (
        source
      ) : (
        <iframe
          ref={frame}
          className="preview-live"
          title={name}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          src="/frame.html"
        />
      )}
    </>
  );
}
