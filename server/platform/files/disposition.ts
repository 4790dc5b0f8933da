/** A Content-Disposition header (RFC 6266 and 8187): shown or saved, and under which name. */
export const disposition = (way: 'inline' | 'attachment', name: string): string =>
  `${way}${name && `; filename*=UTF-8''${encodeName(name)}`}`

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
