/** The header that says whether a file is shown or saved, and under which name, as RFC 6266 and 8187 write it. */
export const disposition = (way: 'inline' | 'attachment', name: string): string =>
  `${way}${name && `; filename*=UTF-8''${encodeName(name)}`}`

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
