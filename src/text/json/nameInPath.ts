/** A suggested variable name: the path's last name, or the header's. */
export function nameInPath(path: string): string {
  if (!path.startsWith('$')) return path.replaceAll('-', ' ')
  const names = [...path.matchAll(/\.([\w$]+)|\['((?:[^'\\]|\\.)*)'\]/g)]
  return names.at(-1)?.slice(1).find(Boolean) ?? ''
}
