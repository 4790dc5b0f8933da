import type { Fault, FaultKind, FaultScript } from '../faults'
import { type Html, html } from './html'

/** What a person can let go wrong, in plain words. */
const FAULTS: readonly (readonly [FaultKind, string])[] = [
  ['serverError', 'It fails (500)'],
  ['tooMany', 'It is too busy (429)'],
  ['unauthorized', 'The token is not taken (401)'],
  ['forbidden', 'A right is missing (403)'],
  ['cutBeforeWrite', 'The connection breaks before anything is written'],
  ['cutAfterWrite', 'The connection breaks after everything is written'],
  ['slow', 'It takes the seconds given below'],
  ['html', 'A proxy answers with a web page'],
  ['halfJson', 'The answer ends in the middle'],
  ['tokenRevoked', 'The consent is withdrawn'],
]
const MOST_TIMES = 100
const MOST_SECONDS = 600

/** A form that says what is to go wrong next, and what is still waiting to. */
export function faultCard({ left }: FaultScript, endpoints: readonly string[]): Html {
  return html`<section class="card"><h2>Let something go wrong</h2>
<form method="post"><p><label for="on">In the next call of</label><select id="on" name="on"><option value="*">any kind</option>${endpoints.map(
    (endpoint) => html`<option>${endpoint}</option>`,
  )}</select></p>
<p><label for="with">What happens</label><select id="with" name="with">${FAULTS.map(([kind, words]) => html`<option value="${kind}">${words}</option>`)}</select></p>
<p><label for="times">How many times</label><input id="times" name="times" type="number" min="1" max="${MOST_TIMES}" value="1"></p>
<p><label for="seconds">Seconds, where it takes long or is too busy</label><input id="seconds" name="seconds" type="number" min="1" max="${MOST_SECONDS}" value="30"></p>
<button name="do" value="fail">Let it go wrong</button></form>
${
  left.length > 0 &&
  html`<p>Waiting to happen:</p><ul>${left.map((fault) => html`<li>${wordsOf(fault)}: ${fault.on}</li>`)}</ul>
<form method="post"><button name="do" value="clearFaults" class="plain">Let all go right</button></form>`
}</section>`
}

const wordsOf = (fault: Fault) => FAULTS.find(([kind]) => kind === fault.with)?.[1] ?? fault.with

/** @returns the fault of a form, or a sentence about what is wrong with it */
export function readFault(form: Record<string, string>, endpoints: readonly string[]): Fault | string {
  const kind = FAULTS.find(([name]) => name === form.with)?.[0]
  const times = Number(form.times)
  const seconds = Number(form.seconds)
  if (!kind) return `“${form.with ?? ''}” is nothing that can go wrong: choose from the list.`
  if (form.on !== '*' && !endpoints.includes(form.on ?? ''))
    return `“${form.on ?? ''}” is no call: choose from the list.`
  if (!Number.isInteger(times) || times < 1 || times > MOST_TIMES)
    return `“${form.times ?? ''}” times is not possible: give a number from 1 to ${MOST_TIMES}.`
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MOST_SECONDS)
    return `“${form.seconds ?? ''}” seconds is not possible: give a number from 1 to ${MOST_SECONDS}.`
  // names in a path are any text
  const on = (form.on ?? '*').replace(/\{[^}]+\}/g, '*')
  return {
    on,
    with: kind,
    times,
    ...(kind === 'slow' && { seconds }),
    ...(kind === 'tooMany' && { retryAfter: seconds }),
  }
}
