// The routines that figure 2.18 imports, which the kernel's implementation has in C.
my_adm_prio(p1, p2) = (p1.arrival < p2.arrival)
my_congestion_condition(q) = q.currSize >= q.size
my_pro_prio(p1, p2) = (p1.arrival < p2.arrival)
my_schd_prio(q1, q2) = (q1.currSize > q2.currSize)
// A packet's queue: by its IP identification, which counts packets.
select_admission_queue(p) = p.id
