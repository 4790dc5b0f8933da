import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { coverageSchema } from '../../../../server/contracts/recordings'
import { Button } from '../../../ui/Button'
import type { ShownPlace } from '../showPlace'
import styles from './TestsPanel.module.css'

type Coverage = z.infer<typeof coverageSchema>
const FIRST = 8

/** The tests' coverage of the draft, and what they don't reach: a click shows the place. */
export function TestCoverage({ coverage, onShow }: { coverage: Coverage; onShow: (place: ShownPlace) => void }) {
  const { t } = useTranslation('tests')
  const [all, setAll] = useState(false)
  const { unreached } = coverage
  const shown = all ? unreached : unreached.slice(0, FIRST)
  return (
    <section className={styles.coverage} aria-label={t('coverage')}>
      <h3>{t('coverage')}</h3>
      <Share label={t('groups')} {...coverage.groups} />
      <Share label={t('ports')} {...coverage.ports} />
      {unreached.length > 0 && <h4>{t('unreached')}</h4>}
      <ul className={styles.list}>
        {shown.map((place) => (
          <li key={`${place.flowId} ${place.groupId} ${place.blockId} ${place.portId}`}>
            <button type="button" className={styles.jump} onClick={() => onShow(place)}>
              {place.name}
            </button>
          </li>
        ))}
      </ul>
      {!all && unreached.length > FIRST && (
        <Button size="s" design="ghost" onClick={() => setAll(true)}>
          {t('allUnreached', { count: unreached.length })}
        </Button>
      )}
    </section>
  )
}

function Share({ label, reached, total }: { label: string; reached: number; total: number }) {
  const { t } = useTranslation('tests')
  return (
    <div className={styles.share}>
      <span>{label}</span>
      <span className={styles.meta}>{t('share', { reached, total })}</span>
      <progress aria-label={label} value={reached} max={Math.max(total, 1)} />
    </div>
  )
}
