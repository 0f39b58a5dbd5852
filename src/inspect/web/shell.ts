/** Holds the HTML of the inspector's page, which its modules fill with data from this server only. */

/** Allows scripts, styles, requests and frames from this server only. */
export const SHELL_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const SHELL = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Thresher inspector</title>
    <link rel="stylesheet" href="/style.css" />
    <script type="module" src="/app/main.js"></script>
  </head>
  <body>
    <a class="skip" href="#lines">Go to the lines</a>
    <header>
      <h1>Thresher inspector</h1>
      <p id="progress"></p>
      <p id="status" role="status"></p>
      <p id="error" role="alert"></p>
    </header>
    <div id="panes">
      <nav aria-labelledby="documents-title">
        <h2 id="documents-title">Documents</h2>
        <form id="search" role="search">
          <label>Search <input type="search" id="text" placeholder="title, id, address" /></label>
          <label>Language <select id="lang"></select></label>
          <label>Host <select id="host"></select></label>
          <label>Type <select id="type"></select></label>
          <label>Marked
            <select id="state">
              <option value="">all</option>
              <option value="none">not begun</option>
              <option value="begun">begun</option>
              <option value="done">done</option>
            </select>
          </label>
          <label>Doubt of at least % <input type="number" id="doubt" min="0" max="50" step="1" value="0" /></label>
          <label>Order
            <select id="order">
              <option value="input">as in the input</option>
              <option value="doubt">least sure first</option>
              <option value="title">title</option>
              <option value="words">longest first</option>
            </select>
          </label>
        </form>
        <p id="found"></p>
        <div id="documents" role="listbox" aria-labelledby="documents-title" tabindex="0"></div>
        <details id="damage" hidden><summary></summary><ul></ul></details>
        <details id="agreement"><summary>Agreement of annotators</summary><div></div></details>
        <details id="export">
          <summary>Export gold</summary>
          <label>Readers' comments are
            <select id="comments-as"><option>boilerplate</option><option>content</option></select>
          </label>
          <label>Documents
            <select id="only"><option value="begun">begun or done</option><option value="done">done</option></select>
          </label>
          <label>Source of pages
            <select id="source"><option value="with">include</option><option value="without">leave out</option></select>
          </label>
          <p><a id="gold" href="/api/gold" download="gold.jsonl">Download gold.jsonl</a></p>
        </details>
      </nav>
      <main id="document" hidden>
        <h2 id="title" tabindex="-1"></h2>
        <p id="about"></p>
        <p id="stale" class="warning" hidden></p>
        <div class="row" id="tools">
          <button type="button" id="before">Previous (p)</button>
          <button type="button" id="after">Next (n)</button>
          <button type="button" id="undo" disabled>Undo (z)</button>
          <button type="button" id="redo" disabled>Redo (y)</button>
          <button type="button" id="accept">Accept the rest (a)</button>
        </div>
        <div class="row" id="marks" role="group" aria-label="Mark the selected lines"></div>
        <details id="keys">
          <summary>Keys (?)</summary>
          <p>These keys work while the list of lines has the focus.</p>
          <dl>
            <dt>↓ ↑, j k</dt><dd>next line, previous line; with Shift: select more lines</dd>
            <dt>c b u m t</dt><dd>content, boilerplate, unsure, reader's comment, title; then the next line is selected</dd>
            <dt>x</dt><dd>remove the mark</dd>
            <dt>z y</dt><dd>undo, redo</dd>
            <dt>a</dt><dd>mark all other lines with the labels that Thresher gave them</dd>
            <dt>w</dt><dd>what counted most for the score of the line</dd>
            <dt>n p</dt><dd>next document, previous document</dd>
            <dt>Ctrl+A</dt><dd>select all lines</dd>
            <dt>/</dt><dd>search</dd>
          </dl>
        </details>
        <div id="sides">
          <section aria-labelledby="lines-title">
            <h3 id="lines-title">Lines</h3>
            <ol id="lines" role="listbox" aria-multiselectable="true" aria-labelledby="lines-title" tabindex="0"></ol>
            <p id="detail"></p>
            <details id="why"><summary>What counted (w)</summary><div role="status"></div></details>
          </section>
          <section aria-labelledby="page-title" id="page-side">
            <h3 id="page-title">Page</h3>
            <p class="hint">Without scripts, pictures and external style sheets. Click on the page to select a line.</p>
            <iframe id="page" title="The page from its source" sandbox="allow-same-origin"></iframe>
          </section>
        </div>
        <section aria-labelledby="cut-title">
          <h3 id="cut-title">Cut</h3>
          <div class="row">
            <label>Keep lines from this score <input type="range" id="cut" min="0" max="1" step="0.005" /></label>
            <output id="cut-shown" for="cut"></output>
            <span id="presets" class="row"></span>
          </div>
          <p id="cut-about" role="status"></p>
          <div class="row">
            <label><input type="radio" name="view" value="text" checked /> Text</label>
            <label><input type="radio" name="view" value="markdown" /> Markdown</label>
            <label><input type="radio" name="view" value="diff" /> What changes</label>
          </div>
          <pre id="result" tabindex="0" aria-label="The document with this cut"></pre>
        </section>
      </main>
      <main id="nothing"><p>Choose a document.</p></main>
    </div>
    <dialog id="conflict" aria-labelledby="conflict-title">
      <h2 id="conflict-title">Marked differently in another window</h2>
      <ul></ul>
      <p class="row"><button type="button" id="theirs">Keep theirs</button><button type="button" id="mine">Use mine</button></p>
    </dialog>
  </body>
</html>
`;
