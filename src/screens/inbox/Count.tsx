import { MOST_COUNTED } from '../../../server/contracts/inbox'
import { formatNumber } from '../../i18n/format'
import styles from './inbox.module.css'

/** How many conversations there are; nothing where there are none. */
export const Count = ({ count }: { count: number }) =>
  count > 0 && (
    <span className={styles.count}>
      {count > MOST_COUNTED ? `${formatNumber(MOST_COUNTED)}+` : formatNumber(count)}
    </span>
  )
