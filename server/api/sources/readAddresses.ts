import { ruleMessages } from '../../../engine/values/rules'
import { isExternalUrl } from '../../../engine/values/url'
import { ApiError } from '../../errors'

/** The addresses that were given, in one spelling. @throws ApiError `invalid` with what is wrong at each field */
export function readAddresses(texts: readonly string[]): string[] {
  const fields: Record<string, string> = {}
  const urls = texts.flatMap((text, at) => {
    if (isExternalUrl(text) && URL.canParse(text)) return withoutPlace(new URL(text))
    fields[`urls.${at}`] = ruleMessages.url
    return []
  })
  if (Object.keys(fields).length > 0) throw new ApiError('invalid', { fields })
  return urls
}

/** What stands behind # names a place in a page. */
function withoutPlace(url: URL): string {
  url.hash = ''
  return url.href
}
