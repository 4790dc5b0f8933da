import { addPushSubscription, readPushKey, removePushSubscription } from '../../server/contracts/personalNotifications'
import { callRoute } from '../api/client'
import workerUrl from './pushWorker?worker&url'

/** `unsupported`: by the browser, or by an address without HTTPS. `blocked`: the person has refused it. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on'

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
const known = () => navigator.serviceWorker.getRegistration(workerUrl)

/** Whether this browser shows pushes. */
export async function pushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const subscription = await (await known())?.pushManager.getSubscription()
  return subscription && Notification.permission === 'granted' ? 'on' : 'off'
}

/** Has this browser show pushes; asks the person first. Throws ApiFailure, and what the browser's push service says. */
export async function turnPushOn(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState()
  const registration = await navigator.serviceWorker.register(workerUrl)
  await activeOf(registration)
  const { key } = await callRoute(readPushKey)
  const before = await registration.pushManager.getSubscription()
  // it may have been made for a key of before
  await before?.unsubscribe()
  const subscription = await inTime(
    registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
  )
  const { endpoint = '', keys = {} } = subscription.toJSON()
  await callRoute(addPushSubscription, {
    body: { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } },
  })
  return pushState()
}

export async function turnPushOff(): Promise<PushState> {
  const subscription = await (await known())?.pushManager.getSubscription()
  if (subscription) {
    await callRoute(removePushSubscription, { body: { endpoint: subscription.endpoint } })
    await subscription.unsubscribe()
  }
  return pushState()
}

/** Browsers try for ever where their push service can't be reached. */
const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('The push service did not answer.')), 20_000)),
  ])

/** A worker that is not active yet can't subscribe. */
const activeOf = (registration: ServiceWorkerRegistration): Promise<void> =>
  new Promise((resolve) => {
    const starting = registration.installing ?? registration.waiting
    if (registration.active || !starting) return resolve()
    starting.addEventListener('statechange', () => starting.state === 'activated' && resolve())
  })
