import { settingsPage } from '../programs/settingsPage'

/** The table of settings is the README's: one list. */
export default { paths: () => [{ params: { page: 'settings' }, content: settingsPage() }] }
