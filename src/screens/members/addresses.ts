/**
 * Parses typed or pasted addresses: separated by commas, semicolons, spaces or lines, or as copied from mail programs,
 * `Ada Lovelace <ada@example.com>`. Invalid ones are kept, for the error message.
 */
export function readAddresses(text: string): string[] {
  const withoutQuoted = text.replace(/"[^"]*"\s*(?=<)/g, '')
  const found = withoutQuoted.split(/[,;\n]+/).flatMap((part) => {
    const inBrackets = [...part.matchAll(/<([^<>\s]+)>/g)].map(([, address]) => address ?? '')
    return inBrackets.length > 0 ? inBrackets : part.split(/\s+/)
  })
  return [...new Set(found.filter(Boolean).map((address) => address.toLowerCase()))]
}
