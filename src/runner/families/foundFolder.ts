/** The folder of failures that nobody has committed yet. */
export const FOUND_FOLDER = 'reports/failures'
