/** What a person does on a stand-in's consent page. */
export interface Decision {
  decision: 'allow' | 'deny'
  /** an account's id; default: the first */
  person?: string
  /** scopes to leave ticked, where the page lets one choose; default: all */
  scopes?: readonly string[]
}

/**
 * Opens a consent page as a browser would, sends its form and follows no further.
 * @param url the address that the application sent the person to
 * @returns where the person is sent: the application's callback with `code` and `state`, or with `error`
 * @throws Error with the page's text if it shows no form
 */
export async function consent(
  url: string,
  { decision, person, scopes }: Decision = { decision: 'allow' },
): Promise<URL> {
  const shown = await fetch(url, { redirect: 'manual' })
  const location = shown.headers.get('location')
  if (location !== null) return new URL(location)
  const page = await shown.text()
  if (!page.includes('<form')) throw new Error(`The consent page shows no form: ${page.replace(/<[^>]+>/g, ' ')}`)
  const form = new URLSearchParams({ decision })
  const [first] = valuesOf(page, 'person')
  form.set('person', person ?? first ?? '')
  for (const scope of scopes ?? valuesOf(page, 'scope')) form.append('scope', scope)
  const answer = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}

const valuesOf = (page: string, name: string): string[] =>
  [...page.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map((found) => found[1] ?? '')
