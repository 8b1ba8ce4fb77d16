// The page behind a login link. The code is behind the `#` of the address, which no server sees: the page sends it, gets its
// cookie, and forgets it.

export const LOGIN_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Espalier</title>
<meta name="viewport" content="width=device-width"><script type="module" src="/login.js"></script></head>
<body><h1>Espalier</h1><p id="said" role="status">Logging in …</p>
<noscript>This page needs JavaScript to log in. Programs send <code>Authorization: Bearer</code>.</noscript></body></html>`

export const LOGIN_SCRIPT = `const code = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const say = (text) => { document.getElementById('said').textContent = text }
if (code === '') say('Open the link that \`espalier serve\` printed, or make another: espalier tokens login')
else {
  const answer = await fetch('/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  }).catch(() => null)
  if (answer?.ok) location.replace('/')
  else say(answer ? (await answer.json()).detail : 'The server does not answer.')
}
`

export const LOGIN_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
