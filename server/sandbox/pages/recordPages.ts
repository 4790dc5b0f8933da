import { type Answer, type Call, fieldsOf, type RecordedCall, Refusal } from '../call'
import type { FaultScript } from '../faults'
import type { Grants } from '../oauth/grants'
import type { Route } from '../routes'
import { faultCard, readFault } from './faultCard'
import { type Html, html } from './html'
import { goTo, page } from './page'
import type { RecordKind } from './records'
import { addForm, recordTable } from './recordTable'

export interface RecordPages {
  vendor: string
  kinds: () => RecordKind[]
  faults: FaultScript
  calls: readonly RecordedCall[]
  endpoints: readonly string[]
  /** absent: nobody connects by a consent */
  grants?: Grants
  /** where the page of all vendors is */
  home?: string
}

const ROOT = '/sandbox'
/** The newest calls, on the first page. */
const CALLS_SHOWN = 20

/** @returns pages on which a person sees and edits what a stand-in holds, and says what is to go wrong */
export function recordPages(pages: RecordPages): Route[] {
  const ours = (method: 'GET' | 'POST', path: string, handle: Route['handle']): Route => ({
    method,
    path,
    ours: true,
    handle,
  })
  const onKind = (call: Call, then: (kind: RecordKind) => Answer): Answer => {
    const kind = pages.kinds().find(({ key }) => key === call.params.kind)
    return kind ? then(kind) : show(pages, 'Not found', html`<p>There is nothing at this address.</p>`, '', 404)
  }
  return [
    ours('GET', ROOT, () => overview(pages)),
    ours('POST', ROOT, (call) => decide(pages, formOf(call))),
    ours('GET', `${ROOT}/{kind}`, (call) => onKind(call, (kind) => kindPage(pages, kind))),
    ours('POST', `${ROOT}/{kind}`, (call) =>
      onKind(call, (kind) => {
        const values = formOf(call)
        return attempt(pages, kind, () => kind.add?.(valuesOf(kind, values)), values)
      }),
    ),
    ours('POST', `${ROOT}/{kind}/{id}`, (call) => onKind(call, (kind) => changeOne(pages, kind, call))),
  ]
}

function changeOne(pages: RecordPages, kind: RecordKind, call: Call): Answer {
  const { id = '' } = call.params
  const form = formOf(call)
  const row = kind.rows().find((shown) => shown.id === id)
  if (!row) return kindPage(pages, kind, 'This record is no longer there.')
  if (form.do === 'remove')
    return askPage(pages, kind, id, Object.values(row.values).filter(Boolean).slice(0, 3).join(', '))
  const action = kind.actions?.find(({ name }) => name === form.do)
  return attempt(pages, kind, () => {
    if (form.do === 'removeNow') kind.remove?.(id)
    else if (action) action.run(id)
    else kind.change?.(id, valuesOf(kind, form))
  })
}

/** Carries out a change and shows the list, or what was wrong with it, and keeps what was typed. */
function attempt(pages: RecordPages, kind: RecordKind, change: () => void, typed: Record<string, string> = {}): Answer {
  try {
    change()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return kindPage(pages, kind, sentenceOf(error.answer.body) ?? `Refused with ${error.answer.status}`, typed)
  }
  return goTo(addressOf(kind))
}

function kindPage(pages: RecordPages, kind: RecordKind, problem?: string, typed: Record<string, string> = {}): Answer {
  const rows = kind.rows()
  const content = html`${problem && html`<p class="error" role="alert">${problem}</p>`}
<section class="card" aria-label="${kind.title}">
${rows.length === 0 ? html`<p class="soft">${kind.empty}</p>` : recordTable(kind, rows, addressOf(kind))}
</section>
${kind.add && addForm(kind, addressOf(kind), typed)}`
  return show(pages, kind.title, content, kind.key, problem ? 400 : 200)
}

function askPage(pages: RecordPages, kind: RecordKind, id: string, name: string): Answer {
  const content = html`<form method="post" action="${addressOf(kind)}/${encodeURIComponent(id)}" class="card narrow">
<p>${name === '' ? 'This record' : name} can’t be brought back.</p>
<div class="row"><button name="do" value="removeNow" class="danger">Delete</button><a href="${addressOf(kind)}">Keep it</a></div>
</form>`
  return show(pages, 'Delete this record?', content, kind.key)
}

function overview(pages: RecordPages, problem?: string): Answer {
  const { vendor, kinds, calls, grants } = pages
  const live = grants?.all.filter(({ revoked }) => !revoked) ?? []
  const content = html`${problem && html`<p class="error" role="alert">${problem}</p>`}
<section class="card"><h2>What is here</h2>
${kinds().map((kind) => html`<p><a href="${addressOf(kind)}">${kind.title}</a> <span class="soft">${kind.rows().length}</span></p>`)}
</section>
${
  grants &&
  html`<section class="card"><h2>Connections</h2>${
    live.length === 0
      ? html`<p class="soft">Nothing is connected. In Parley, open Integrations and connect ${vendor}.</p>`
      : html`${live.map(({ clientId, person, scopes }) => html`<p>${clientId} for ${person.email} <span class="soft">${scopes.join(', ')}</span></p>`)}
<form method="post"><button name="do" value="revoke" class="danger">Withdraw all consents</button></form>`
  }</section>`
}
${faultCard(pages.faults, pages.endpoints)}
<section class="card"><h2>Latest calls</h2>${
    calls.length === 0
      ? html`<p class="soft">Nobody has called yet.</p>`
      : html`<div class="scroll" tabindex="0" role="region" aria-label="Latest calls"><table><thead><tr><th scope="col">Time</th><th scope="col">Call</th><th scope="col">Answer</th></tr></thead><tbody>${calls
          .slice(-CALLS_SHOWN)
          .reverse()
          .map(
            ({ at, method, path, status }) =>
              html`<tr><td>${at.toISOString().slice(11, 19)}</td><td>${method} ${path}</td><td>${status ?? 'cut'}</td></tr>`,
          )}</tbody></table></div>`
  }</section>`
  return show(pages, `${vendor} sandbox`, content, null, problem ? 400 : 200)
}

function decide(pages: RecordPages, form: Record<string, string>): Answer {
  if (form.do === 'revoke') for (const grant of pages.grants?.all ?? []) pages.grants?.revoke(grant)
  if (form.do === 'clearFaults') pages.faults.clear()
  if (form.do === 'fail') {
    const fault = readFault(form, pages.endpoints)
    if (typeof fault === 'string') return overview(pages, fault)
    pages.faults.add(fault)
  }
  return goTo(ROOT)
}

/** @param here the current kind; null for the first page */
function show(
  { vendor, kinds, home }: RecordPages,
  title: string,
  content: Html,
  here: string | null,
  status = 200,
): Answer {
  const links = [
    { href: ROOT, label: 'Overview', isHere: here === null },
    ...kinds().map((kind) => ({ href: addressOf(kind), label: kind.title, isHere: kind.key === here })),
  ]
  return page({ vendor, title, content, links, home }, status)
}

const addressOf = ({ key }: RecordKind) => `${ROOT}/${encodeURIComponent(key)}`

const formOf = ({ body }: Call) =>
  Object.fromEntries(Object.entries(fieldsOf(body)).map(([name, value]) => [name, String(value)]))

const valuesOf = ({ columns }: RecordKind, form: Record<string, string>) =>
  Object.fromEntries(columns.filter(({ isFixed }) => !isFixed).map(({ name }) => [name, form[`f-${name}`] ?? '']))

/** @returns the first sentence in a vendor's refusal, whatever its shape; details before summaries */
function sentenceOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const inner = Object.values(body).reduce<string | null>((found, value) => found ?? sentenceOf(value), null)
  const { message, description } = body as { message?: unknown; description?: unknown }
  const own = typeof message === 'string' ? message : typeof description === 'string' ? description : null
  return inner ?? own
}
