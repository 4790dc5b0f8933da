/**
 * The addresses in what somebody typed or pasted: with commas, semicolons, spaces or lines between them, or as mail
 * programs copy them, `Ada Lovelace <ada@example.com>`. What is no address stays in, to be complained about.
 */
export function readAddresses(text: string): string[] {
  const withoutQuoted = text.replace(/"[^"]*"\s*(?=<)/g, '')
  const found = withoutQuoted.split(/[,;\n]+/).flatMap((part) => {
    const inBrackets = [...part.matchAll(/<([^<>\s]+)>/g)].map(([, address]) => address ?? '')
    return inBrackets.length > 0 ? inBrackets : part.split(/\s+/)
  })
  return [...new Set(found.filter(Boolean).map((address) => address.toLowerCase()))]
}
