/* Search in pages that are opened from the disk, where a browser refuses workers: the worker's script runs in a hidden
   frame instead. Pages that come from a server keep the browser's own workers. */
if (location.protocol === "file:") {
  self.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      this.inner = frame.contentWindow
      this.inner.document.open()
      this.inner.document.write("<!doctype html><html><body></body></html>")
      this.inner.document.close()
      this.inner.postMessage = data =>
        setTimeout(() => {
          const event = new MessageEvent("message", { data })
          this.dispatchEvent(event)
          if (this.onmessage) this.onmessage(event)
        })
      this.inner.importScripts = (...urls) =>
        urls.reduce((before, each) => before.then(() => this.load(each)), Promise.resolve())
      this.load(url).then(() => {
        this.ready = true
        this.waiting.splice(0).forEach(data => this.postMessage(data))
      })
    }
    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.inner.document.createElement("script")
        script.src = url
        script.onload = resolve
        script.onerror = reject
        this.inner.document.body.appendChild(script)
      })
    }
    postMessage(data) {
      if (!this.ready) return void this.waiting.push(data)
      const event = new MessageEvent("message", { data })
      this.inner.dispatchEvent(event)
      if (this.inner.onmessage) this.inner.onmessage(event)
    }
    terminate() {}
  }
  self.Worker = self.IFrameWorker
}
