/**
 * The service worker that shows pushes while no page is open. It lies among the built files, so that it controls no
 * page and keeps nothing: pushes need no more.
 */

/** What this file uses of a service worker; the app's types are those of pages. */
interface PushWorker {
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> }
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<OpenPage[]>
    openWindow(url: string): Promise<unknown>
  }
  location: Location
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void
}
interface OpenPage {
  url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}
interface WaitingEvent {
  waitUntil(work: Promise<unknown>): void
}
interface PushEvent extends WaitingEvent {
  data: { json(): { title: string; body: string; link: string; tag: string } } | null
}
interface ClickEvent extends WaitingEvent {
  notification: Notification
}

const worker = globalThis as unknown as PushWorker

worker.addEventListener('push', (event) => {
  if (!event.data) return
  const { title, body, link, tag } = event.data.json()
  event.waitUntil(worker.registration.showNotification(title, { body, tag, data: { link } }))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open((event.notification.data as { link: string }).link))
})

/** In a tab of ours that is open, or in a new one. */
async function open(link: string): Promise<void> {
  const url = new URL(link, worker.location.origin)
  // links come from this server; another origin is none of its own
  if (url.origin !== worker.location.origin) return
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((each) => new URL(each.url).pathname.startsWith('/projects'))
  if (!page) return void (await worker.clients.openWindow(url.href))
  await page.focus()
  // a page that no worker controls can't be sent elsewhere
  await page.navigate(url.href).catch(() => worker.clients.openWindow(url.href))
}

// a module of its own: its names are not those of pages
export {}
