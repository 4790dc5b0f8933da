import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useCan } from '../api/account'
import { analyticsQuery } from '../api/analytics'
import { ownZone, shiftDay, todayIn } from './days'
import { Tiles } from './Tiles'
import styles from './tiles.module.css'

const DAYS = 28

interface RecentFiguresProps {
  pgid: string
  /** left out: all chatbots of the project together */
  chatbot?: string
}

/**
 * The figures of the last four weeks beside the four before, each leading to its conversations. Nothing where nobody
 * has talked yet, for who may not see figures, and while they can't be read: the screen is about something else.
 */
export function RecentFigures({ pgid, chatbot }: RecentFiguresProps) {
  const { t } = useTranslation('analytics')
  const navigate = useNavigate()
  const mayView = useCan('analytics.view')
  const zone = ownZone()
  const to = todayIn(zone)
  const filter = { ...(chatbot !== undefined && { chatbot }), from: shiftDay(to, 1 - DAYS), to, zone }
  const { data } = useQuery({ ...analyticsQuery(pgid, filter), enabled: mayView })
  if (!mayView || !data || (data.now.conversations === 0 && data.before.conversations === 0)) return null
  const place = `/projects/${pgid}${chatbot === undefined ? '' : `/chatbots/${chatbot}`}/analytics`
  return (
    <section aria-label={t('recent.title')}>
      <div className={styles.head}>
        <h2>{t('recent.title')}</h2>
        <Link to={place}>
          {t('recent.all')} <ArrowRight size={14} aria-hidden />
        </Link>
      </div>
      <Tiles analytics={data} most={5} onDrill={({ figure }) => void navigate(`${place}?figure=${figure}`)} />
    </section>
  )
}
