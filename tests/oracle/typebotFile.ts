/** A file's object, whose fields may be anything. */
export type Fields = { readonly [name: string]: unknown }
export const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : [])
export const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** The words of a rich text, a line a paragraph. */
export function lines(nodes: unknown): string {
  return list(nodes).map(line).join('\n')
}

function line(node: Fields): string {
  if (typeof node.text === 'string') return node.text
  const block =
    /^(ul|ol|li|lic|p)$/.test(text(node.type)) &&
    list(node.children).some(({ type }) => /^(ul|ol|li|lic|p)$/.test(text(type)))
  return list(node.children)
    .map(line)
    .join(block ? '\n' : '')
}
