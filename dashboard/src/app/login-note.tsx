// For a browser that is not logged in.
export function LoginNote() {
  return (
    <section className="note-page">
      <h1>Log in</h1>
      <p>
        Open the link that <code>espalier ui</code> or <code>espalier serve</code> printed. It works once; for another,
        type:
      </p>
      <pre>espalier tokens login</pre>
    </section>
  )
}
