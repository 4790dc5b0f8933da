import { useTranslation } from 'react-i18next'

/** Sets the tab's title; React moves it into the head. */
export function PageTitle({ children }: { children: string }) {
  const { t } = useTranslation()
  return <title>{t('title', { page: children })}</title>
}
