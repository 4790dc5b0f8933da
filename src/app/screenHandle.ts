/** What a route says about its screen. */
export interface ScreenHandle {
  /** group.feature of the roles map; without it the Unauthorized screen stands in */
  feature?: string
  /** no margins, as high as the window: for screens that are a tool of their own. `slim` has their navigation as a strip of icons */
  bleed?: boolean | 'slim'
}
