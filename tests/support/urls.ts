/** The path of a `file:` URL. */
export function fromFileUrl(url: URL): string {
  return decodeURIComponent(url.pathname);
}
