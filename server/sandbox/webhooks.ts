import type { Refusal } from './call'
import type { Fault, FaultScript } from './faults'

/** What a vendor tells an application of itself. */
export interface Webhook {
  /** `invitee.created`, as faults name it */
  event: string
  url: string
  body: unknown
  /** computed when it is sent, since signatures hold the time */
  headers: (raw: string, at: Date) => Record<string, string>
  /** the same, with a signature that is not right */
  wrongHeaders: (raw: string, at: Date) => Record<string, string>
  /** told the status; null if nobody answered */
  onAnswer?: (status: number | null) => void
}

export interface Delivery {
  event: string
  url: string
  raw: string
  headers: Record<string, string>
  /** null: nobody answered */
  status: number | null
}

export interface WebhookSender {
  /** Sends, or does what the script of faults says. Returns at once. */
  send(webhook: Webhook): void
  /** all that were sent, in their order */
  deliveries: Delivery[]
  /** sentences about bodies that break the contract; these are not sent */
  broken: string[]
  /** Waits until nothing is being sent; those that wait for the clock or for another are not waited for. */
  settle(): Promise<void>
  close(): void
}

/** How often one that is late looks at the clock. */
const LOOK = 10
/** As the strictest of the vendors: then it counts as not delivered. */
const TIMEOUT = 10_000

/** @throws Refusal for an address that is not of this machine: a stand-in must not call what others run */
export function requireLoopback(url: string, refuse: (message: string) => Refusal): void {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed && /^https?:$/.test(parsed.protocol) && /^(127\.0\.0\.1|localhost)$/.test(parsed.hostname)) return
  throw refuse(`${url} is not an address of this machine; the stand-in sends webhooks nowhere else`)
}

/** @param check compares a body with the vendor's contract, if there is one */
export function createWebhookSender({
  clock,
  faults,
  check,
}: {
  clock: () => Date
  faults: FaultScript
  check?: (body: unknown) => string[]
}): WebhookSender {
  const broken: string[] = []
  const deliveries: Delivery[] = []
  const running = new Set<Promise<void>>()
  const closing = new AbortController()
  let heldBack: Webhook[] = []

  async function deliver(webhook: Webhook, isWrong = false): Promise<void> {
    const raw = JSON.stringify(webhook.body)
    const headers = isWrong ? webhook.wrongHeaders(raw, clock()) : webhook.headers(raw, clock())
    const delivery: Delivery = { event: webhook.event, url: webhook.url, raw, headers, status: null }
    deliveries.push(delivery)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT)])
    const sent = { 'content-type': 'application/json', ...headers }
    const answer = await fetch(webhook.url, {
      method: 'POST',
      headers: sent,
      body: raw,
      redirect: 'manual',
      signal,
    }).catch(() => null)
    delivery.status = answer?.status ?? null
    await answer?.body?.cancel()
    webhook.onAnswer?.(delivery.status)
  }

  async function carryOut(webhook: Webhook, fault: Fault | null): Promise<void> {
    if (fault?.with === 'lost') return
    if (fault?.with === 'outOfOrder') {
      heldBack.push(webhook)
      return
    }
    if (fault?.with === 'late') {
      const due = clock().getTime() + (fault.seconds ?? 60) * 1_000
      while (clock().getTime() < due && !closing.signal.aborted)
        await new Promise((resolve) => setTimeout(resolve, LOOK).unref())
      if (closing.signal.aborted) return
    }
    await deliver(webhook, fault?.with === 'wrongSignature')
    if (fault?.with === 'twice') await deliver(webhook)
    const after = heldBack
    heldBack = []
    for (const held of after) await deliver(held)
  }

  // one after the other, so that their order is the script's alone
  let last: Promise<void> = Promise.resolve()
  return {
    deliveries,
    broken,
    send(webhook) {
      const problems = check?.(webhook.body) ?? []
      if (problems.length > 0) {
        broken.push(`contract broken by the webhook ${webhook.event}: ${problems.join('; ')}`)
        return
      }
      const fault = faults.take(`webhook ${webhook.event}`)
      const turn = fault?.with === 'late' ? Promise.resolve() : last
      const done = turn.then(() => carryOut(webhook, fault))
      if (fault?.with === 'late') return
      last = done
      running.add(done)
      void done.finally(() => running.delete(done))
    },
    async settle() {
      while (running.size > 0) await Promise.all(running)
    },
    close: () => closing.abort(),
  }
}
