import { type Handler, Parser } from 'htmlparser2'
import { TooMuch } from './unzip'

/** Elements within elements; Office files have some 30. */
const MOST_DEPTH = 500

/**
 * Reads a part of a document in XML, calling back for what it finds. @throws TooMuch if it is deeper than documents
 * are: the parser takes time by the depth for each element
 */
export function readXml(xml: string, { onopentag, onclosetag, ...others }: Partial<Handler>): void {
  let depth = 0
  const parser = new Parser(
    {
      ...others,
      onopentag(name, attributes, isImplied) {
        if (++depth > MOST_DEPTH) throw new TooMuch('too deep')
        onopentag?.(name, attributes, isImplied)
      },
      onclosetag(name, isImplied) {
        depth--
        onclosetag?.(name, isImplied)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
}
