import type { TestBrowser } from './browser'

/**
 * From here on, the browser is that person's. Its pages are left first: what an open page asks for while no cookie is there is answered
 * with a session of nobody's, which would take the place of the new one.
 * @param origin where the cookies count, as `http://127.0.0.1:PORT`
 */
export async function actAs(
  { context }: TestBrowser,
  person: { cookies: Map<string, string> },
  origin: string,
): Promise<void> {
  await Promise.all(context.pages().map((page) => page.goto('about:blank')))
  await context.clearCookies()
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: origin })))
}
