import { useTranslation } from 'react-i18next'
import type { sumChanges } from './comparison'

/** "3 groups changed, 1 added since it was published." */
export function ChangeSummary({ changes }: { changes: ReturnType<typeof sumChanges> }) {
  const { t, i18n } = useTranslation('versions')
  if (!changes.any) return t('summary.none')
  if (changes.layoutOnly) return t('summary.layout')
  const parts = (['changed', 'added', 'removed'] as const)
    .filter((kind) => changes[kind] > 0)
    .map((kind) => t(`summary.${kind}`, { count: changes[kind] }))
  if (parts.length === 0) return t('summary.other')
  return t('summary.since', { list: new Intl.ListFormat(i18n.language).format(parts) })
}
