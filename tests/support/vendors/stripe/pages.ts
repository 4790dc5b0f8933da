/** Sends the form of a page of the stand-in. @returns where one is sent, or the page's text */
export async function sendPage(
  url: string,
  form: Record<string, string>,
): Promise<{ location: string | null; text: string }> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  return { location: answer.headers.get('location'), text: await answer.text() }
}
