import { eventsPage } from '../programs/eventsPage'

/** The events of webhooks are listed from the contract. */
export default { paths: () => [{ params: { page: 'events' }, content: eventsPage() }] }
