import type { CallerUser } from '../../../access/access'
import type { User } from '../../../contracts/auth'

export function presentUser(user: CallerUser): User {
  return { ui: user.gid, email: user.email, first_name: user.first_name, last_name: user.last_name }
}
