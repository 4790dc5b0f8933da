import { useTranslation } from 'react-i18next'

/** Names the browser tab; React puts it into the head. */
export function PageTitle({ children }: { children: string }) {
  const { t } = useTranslation()
  return <title>{t('title', { page: children })}</title>
}
