/* Search in pages that are opened as files: browsers start no worker there, so its script runs in a hidden frame. */

if (location.protocol === "file:") {
  window.Worker = class {
    constructor(address) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.scope = this.frame.contentWindow;
      this.scope.postMessage = (data) => setTimeout(() => this.onmessage?.({ data: structuredClone(data) }));
      const script = this.frame.contentDocument.createElement("script");
      script.src = new URL(address, location);
      this.ready = new Promise((resolve) => { script.onload = resolve; });
      script.onerror = (event) => this.onerror?.(event);
      this.frame.contentDocument.body.append(script);
    }

    postMessage(data) {
      const copy = structuredClone(data); // as a worker gets it: neither side sees what the other changes
      this.ready.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data: copy })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
