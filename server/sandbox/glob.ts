/** @returns a test of texts against one in which a star is any text, as in `POST /v4/*` */
export function compileGlob(glob: string): (text: string) => boolean {
  const parts = glob.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  return (text) => pattern.test(text)
}
