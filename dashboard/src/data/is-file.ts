/** Whether this page is a file: what only a server knows is not offered in it. */
export const isFile = Boolean(document.getElementById('data')?.textContent?.trim())
