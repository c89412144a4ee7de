// Stand-ins for the C++ library, by name, in the manner of sections.h: enough for a statement to keep its tree.
//: initializer_list vector map set string array unordered_map valarray list deque max min unordered_set
namespace std { template <class E> class initializer_list { const E *b; size_t n; public: const E *begin() const; const E *end() const;
  size_t size() const; }; }
//: pair make_pair map unordered_map minmax minmax_element mismatch
namespace std { template <class A, class B> struct pair { A first; B second; __hipify_hd pair(); __hipify_hd pair(A, B);
  template <class C, class D> __hipify_hd pair(const pair<C, D> &); };
template <class A, class B> __hipify_hd pair<A, B> make_pair(A, B); }
//: vector list deque array map unordered_map set unordered_set multimap queue priority_queue stack string iota sort valarray
namespace std { template <class T> struct __hipify_iterator { typedef T value_type; __hipify_iterator(T * = 0); T &operator*() const; T *operator->() const;
  T &operator[](long) const; __hipify_iterator &operator++(); __hipify_iterator operator++(int); __hipify_iterator &operator--();
  __hipify_iterator operator--(int); __hipify_iterator operator+(long) const; __hipify_iterator operator-(long) const;
  long operator-(const __hipify_iterator &) const; __hipify_iterator &operator+=(long); bool operator!=(const __hipify_iterator &) const;
  bool operator==(const __hipify_iterator &) const; bool operator<(const __hipify_iterator &) const; };
template <class T> struct __hipify_container { typedef T value_type; typedef __hipify_iterator<T> iterator; typedef __hipify_iterator<const T> const_iterator;
  typedef size_t size_type; typedef T &reference; typedef const T &const_reference; typedef long difference_type;
  T *data(); const T *data() const; size_t size() const; size_t length() const; bool empty() const; size_t capacity() const; size_t max_size() const;
  iterator begin(); iterator end(); const_iterator begin() const; const_iterator end() const; const_iterator cbegin() const; const_iterator cend() const;
  iterator rbegin(); iterator rend(); T &front(); T &back(); const T &front() const; const T &back() const; T &at(size_t); const T &at(size_t) const;
  T &top(); const T &top() const; void pop(); void push(const T &); void pop_front(); void push_front(const T &);
  void push_back(const T &); template <class... A> T &emplace_back(A &&...); template <class... A> T &emplace(A &&...); void pop_back();
  template <class... A> void resize(A &&...); void reserve(size_t); void clear(); void shrink_to_fit(); void fill(const T &); template <class O> void swap(O &&);
  template <class... A> void assign(A &&...); void assign(initializer_list<T>); template <class... A> iterator insert(A &&...); template <class... A> iterator erase(A &&...); };
}
//: vector list deque queue stack priority_queue valarray
namespace std {
#define __hipify_sequence(N) template <class T, class = void, class = void> struct N : __hipify_container<T> { N(); N(size_t); N(size_t, const T &); \
  N(initializer_list<T>); template <class I, class J> N(I, J); N(const N &); N &operator=(const N &); N &operator=(initializer_list<T>); \
  T &operator[](size_t); const T &operator[](size_t) const; bool operator==(const N &) const; bool operator!=(const N &) const; };
__hipify_sequence(vector) __hipify_sequence(list) __hipify_sequence(deque) __hipify_sequence(queue) __hipify_sequence(stack)
__hipify_sequence(priority_queue) __hipify_sequence(valarray)
template <class I, class J> vector(I, J) -> vector<int>; }
//: array
namespace std { template <class T, size_t N> struct array { T __hipify_elements[N]; typedef T value_type; T *data(); const T *data() const; __hipify_hd constexpr size_t size() const { return N; }
  T *begin(); T *end(); const T *begin() const; const T *end() const; __hipify_hd T &operator[](size_t); __hipify_hd const T &operator[](size_t) const;
  void fill(const T &); T &front(); T &back(); T &at(size_t); }; }
//: string to_string getline stringstream ostringstream istringstream exception runtime_error ifstream ofstream filesystem map stoi
namespace std { struct string : __hipify_container<char> { string(); string(const char *); string(const char *, size_t); string(size_t, char); string(const string &);
  template <class I> string(I, I); string(initializer_list<char>); const char *c_str() const; char &operator[](size_t); const char &operator[](size_t) const;
  string substr(size_t = 0, size_t = 0) const; template <class... A> size_t find(A &&...) const; template <class... A> size_t rfind(A &&...) const;
  template <class... A> size_t find_last_of(A &&...) const; template <class... A> size_t find_first_of(A &&...) const; template <class... A> string &append(A &&...);
  template <class... A> string &replace(A &&...); template <class... A> int compare(A &&...) const; template <class T> string &operator+=(const T &);
  template <class T> string &operator=(const T &); static const size_t npos = -1; };
string operator+(const string &, const string &); string operator+(const string &, char); string operator+(char, const string &);
bool operator==(const string &, const string &); bool operator!=(const string &, const string &); bool operator<(const string &, const string &);
template <class T> string to_string(T); template <class... A> __hipify_any getline(A &&...); }
//: map unordered_map multimap set unordered_set
namespace std {
template <class K, class V, class... R> struct map : __hipify_container<pair<const K, V>> { map(); map(initializer_list<pair<const K, V>>); V &operator[](const K &); V &at(const K &); const V &at(const K &) const;
  size_t count(const K &) const; __hipify_iterator<pair<const K, V>> find(const K &) const; };
template <class K, class V, class... R> struct unordered_map : map<K, V> { using map<K, V>::map; };
template <class K, class V, class... R> struct multimap : map<K, V> { using map<K, V>::map; };
template <class K, class... R> struct set : __hipify_container<K> { set(); set(initializer_list<K>); template <class I> set(I, I); size_t count(const K &) const; __hipify_iterator<K> find(const K &) const; };
template <class K, class... R> struct unordered_set : set<K> { using set<K>::set; }; }
//: cout cerr clog endl cin ostream istream stringstream ostringstream istringstream ifstream ofstream fstream fixed setprecision setw left right scientific setfill boolalpha hex dec flush
namespace std {
struct ostream { template <class T> ostream &operator<<(const T &); ostream &operator<<(ostream &(*)(ostream &)); template <class... A> ostream &write(A &&...);
  ostream &flush(); ostream &put(char); template <class... A> __hipify_any setf(A &&...); template <class... A> __hipify_any precision(A &&...); template <class... A> __hipify_any width(A &&...);
  explicit operator bool() const; bool good() const; bool fail() const; bool operator!() const; template <class... A> void open(A &&...); void close(); bool is_open() const;
  template <class... A> __hipify_any seekp(A &&...); template <class... A> __hipify_any tellp(A &&...); };
struct istream { template <class T> istream &operator>>(T &&); template <class... A> istream &read(A &&...); explicit operator bool() const; bool good() const; bool eof() const; bool fail() const;
  bool operator!() const; template <class... A> void open(A &&...); void close(); bool is_open() const; template <class... A> istream &seekg(A &&...); template <class... A> __hipify_any tellg(A &&...);
  template <class... A> istream &ignore(A &&...); template <class... A> istream &getline(A &&...); template <class... A> __hipify_any get(A &&...); template <class... A> void clear(A &&...); };
extern ostream cout, cerr, clog; extern istream cin; ostream &endl(ostream &); ostream &fixed(ostream &); ostream &scientific(ostream &); ostream &left(ostream &); ostream &right(ostream &);
ostream &boolalpha(ostream &); ostream &hex(ostream &); ostream &dec(ostream &); ostream &flush(ostream &); __hipify_any setprecision(int); __hipify_any setw(int); __hipify_any setfill(char);
struct ios { enum { in = 1, out = 2, binary = 4, ate = 8, app = 16, trunc = 32, beg = 0, end = 2, cur = 1, left = 3, right = 4, fixed = 5, scientific = 6 }; static bool sync_with_stdio(bool = true); }; typedef ios ios_base; }
//: ifstream ofstream fstream
namespace std { struct ifstream : istream { template <class... A> ifstream(A &&...); }; struct ofstream : ostream { template <class... A> ofstream(A &&...); };
struct fstream : istream { template <class... A> fstream(A &&...); }; }
//: stringstream ostringstream istringstream
namespace std { struct stringstream : ostream { template <class... A> stringstream(A &&...); string str() const; void str(const string &); template <class T> stringstream &operator>>(T &&); };
struct ostringstream : stringstream { using stringstream::stringstream; }; struct istringstream : stringstream { using stringstream::stringstream; }; }
//: exception runtime_error invalid_argument logic_error out_of_range bad_alloc system_error domain_error overflow_error
namespace std { struct exception { exception(); virtual ~exception(); virtual const char *what() const noexcept; };
#define __hipify_error(N) struct N : exception { template <class... A> N(A &&...); };
__hipify_error(runtime_error) __hipify_error(invalid_argument) __hipify_error(logic_error) __hipify_error(out_of_range) __hipify_error(bad_alloc) __hipify_error(system_error)
__hipify_error(domain_error) __hipify_error(overflow_error) }
//: unique_ptr shared_ptr make_unique make_shared weak_ptr
namespace std {
#define __hipify_pointer(N) template <class T, class D = void> struct N { template <class... A> N(A &&...); T *get() const; T &operator*() const; T *operator->() const; T *release(); template <class... A> void reset(A &&...); \
  explicit operator bool() const; template <class O> N &operator=(O &&); }; \
template <class T, class D> struct N<T[], D> : N<T, D> { using N<T, D>::N; T &operator[](size_t) const; };
__hipify_pointer(unique_ptr) __hipify_pointer(shared_ptr) __hipify_pointer(weak_ptr)
template <class T, class... A> unique_ptr<T> make_unique(A &&...); template <class T, class... A> shared_ptr<T> make_shared(A &&...); }
//: tuple make_tuple tie get
namespace std { template <class... T> struct tuple : __hipify_any { template <class... A> __hipify_hd tuple(A &&...); }; template <class... A> __hipify_hd tuple<A...> make_tuple(A...);
template <class... A> __hipify_hd tuple<A...> tie(A &...); template <int N, class T> __hipify_hd __hipify_any &get(T &&); template <class G, class T> __hipify_hd G &get(T &&); }
//: function
namespace std { template <class F> struct function; template <class R, class... A> struct function<R(A...)> { template <class... B> function(B &&...); R operator()(A...) const; explicit operator bool() const; }; }
//: chrono
namespace std { namespace chrono { struct duration_count : __hipify_any { __hipify_any count() const; };
template <class R = double, class P = void> struct duration { template <class... A> duration(A &&...); R count() const; template <class T> duration &operator+=(T &&); template <class T> duration operator/(T) const; template <class T> duration operator*(T) const; };
struct __hipify_time { duration<double> time_since_epoch() const; }; duration<double> operator-(__hipify_time, __hipify_time); template <class A, class B> duration<double> operator-(duration<A>, duration<B>); template <class A, class B> duration<double> operator+(duration<A>, duration<B>);
template <class C = void, class D = void> using time_point = __hipify_time;
struct steady_clock { typedef __hipify_time time_point; typedef chrono::duration<double> duration; static time_point now(); }; typedef steady_clock high_resolution_clock; typedef steady_clock system_clock;
typedef duration<double> nanoseconds, microseconds, milliseconds, seconds, minutes, hours; template <class T, class D> T duration_cast(const D &); } 
template <int A, int B = 1> struct __hipify_ratio {}; typedef __hipify_ratio<1, 1000> milli; typedef __hipify_ratio<1, 1000000> micro; typedef __hipify_ratio<1, 1000000000> nano; template <long A, long B = 1> struct ratio {}; }
//: mt19937 mt19937_64 default_random_engine random_device uniform_real_distribution uniform_int_distribution normal_distribution minstd_rand bernoulli_distribution
namespace std { struct mt19937 { template <class... A> mt19937(A &&...); unsigned operator()(); template <class... A> void seed(A &&...); template <class... A> void discard(A &&...); }; typedef mt19937 mt19937_64, default_random_engine, minstd_rand, ranlux48;
struct random_device { unsigned operator()(); };
#define __hipify_distribution(N, D) template <class T = D> struct N { template <class... A> N(A &&...); template <class... A> T operator()(A &&...); };
__hipify_distribution(uniform_real_distribution, double) __hipify_distribution(uniform_int_distribution, int) __hipify_distribution(normal_distribution, double) __hipify_distribution(bernoulli_distribution, bool) }
//: numeric_limits
namespace std { template <class T> struct numeric_limits { __hipify_hd static constexpr T max() { return T(); } __hipify_hd static constexpr T min() { return T(); } __hipify_hd static constexpr T lowest() { return T(); }
  __hipify_hd static constexpr T epsilon() { return T(); } __hipify_hd static constexpr T infinity() { return T(); } __hipify_hd static constexpr T quiet_NaN() { return T(); } static constexpr int digits = 0, digits10 = 0, max_digits10 = 0; static constexpr bool is_signed = true, is_integer = true; }; }
//: complex
namespace std { template <class T> struct complex { template <class... A> __hipify_hd constexpr complex(A &&...) {} __hipify_hd T real() const; __hipify_hd T imag() const; void real(T); void imag(T); typedef T value_type;
  template <class O> complex &operator+=(O &&); template <class O> complex &operator*=(O &&); template <class O> complex &operator-=(O &&); template <class O> complex &operator/=(O &&); };
#define __hipify_complex(O) template <class T> complex<T> operator O(const complex<T> &, const complex<T> &); template <class T, class U> complex<T> operator O(const complex<T> &, const U &); template <class T, class U> complex<T> operator O(const U &, const complex<T> &);
__hipify_complex(+) __hipify_complex(-) __hipify_complex(*) __hipify_complex(/) }
//: atomic
namespace std { template <class T> struct atomic { template <class... A> atomic(A &&...); T load() const; void store(T); operator T() const; T operator++(int); T operator++(); T operator=(T); template <class... A> T fetch_add(A &&...); template <class... A> T exchange(A &&...); }; }
//: thread
namespace std { struct thread { template <class... A> thread(A &&...); void join(); void detach(); bool joinable() const; static unsigned hardware_concurrency(); }; namespace this_thread { template <class... A> void sleep_for(A &&...); template <class... A> __hipify_any get_id(A &&...); } }
//: mutex lock_guard unique_lock condition_variable
namespace std { struct mutex { void lock(); void unlock(); bool try_lock(); }; template <class M = mutex> struct lock_guard { lock_guard(M &); }; template <class M = mutex> struct unique_lock { unique_lock(M &); void lock(); void unlock(); };
struct condition_variable { template <class... A> void wait(A &&...); void notify_one(); void notify_all(); }; }
//: plus less greater multiplies minus equal_to hash divides
namespace std {
#define __hipify_std_functor(N) template <class T = void> struct N { template <class... A> __hipify_hd __hipify_any operator()(A &&...) const; };
__hipify_std_functor(plus) __hipify_std_functor(less) __hipify_std_functor(greater) __hipify_std_functor(multiplies) __hipify_std_functor(minus) __hipify_std_functor(equal_to) __hipify_std_functor(hash) __hipify_std_functor(divides) }
//: true_type false_type is_same is_same_v is_integral is_floating_point integral_constant is_floating_point_v is_integral_v is_signed is_unsigned is_convertible is_base_of
namespace std { template <class T, T v> struct integral_constant { static constexpr T value = v; typedef T value_type; typedef integral_constant type; __hipify_hd constexpr operator T() const { return v; } };
typedef integral_constant<bool, true> true_type; typedef integral_constant<bool, false> false_type;
template <class A, class B> struct is_same : integral_constant<bool, __is_same(A, B)> {}; template <class A, class B> constexpr bool is_same_v = __is_same(A, B);
template <class A> struct is_integral : integral_constant<bool, __is_integral(A)> {}; template <class A> constexpr bool is_integral_v = __is_integral(A);
template <class A> struct is_floating_point : integral_constant<bool, __is_floating_point(A)> {}; template <class A> constexpr bool is_floating_point_v = __is_floating_point(A);
template <class A> struct is_signed : integral_constant<bool, __is_signed(A)> {}; template <class A> struct is_unsigned : integral_constant<bool, __is_unsigned(A)> {};
template <class A, class B> struct is_convertible : integral_constant<bool, __is_convertible_to(A, B)> {}; template <class A, class B> struct is_base_of : integral_constant<bool, __is_base_of(A, B)> {}; }
//: enable_if enable_if_t conditional conditional_t remove_reference remove_reference_t remove_const remove_cv decay decay_t move forward swap exchange
namespace std { template <bool B, class T = void> struct enable_if {}; template <class T> struct enable_if<true, T> { typedef T type; }; template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional { typedef T type; }; template <class T, class F> struct conditional<false, T, F> { typedef F type; }; template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class T> struct remove_reference { typedef T type; }; template <class T> struct remove_reference<T &> { typedef T type; }; template <class T> struct remove_reference<T &&> { typedef T type; }; template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const { typedef T type; }; template <class T> struct remove_const<const T> { typedef T type; }; template <class T> struct remove_cv : remove_const<T> {}; template <class T> struct decay { typedef __decay(T) type; }; template <class T> using decay_t = __decay(T);
template <class T> __hipify_hd constexpr remove_reference_t<T> &&move(T &&v) noexcept { return static_cast<remove_reference_t<T> &&>(v); } template <class T> __hipify_hd T &&forward(remove_reference_t<T> &); template <class T> __hipify_hd void swap(T &, T &); template <class T, class U> T exchange(T &, U &&); }
//: min max clamp
namespace std { template <class T> __hipify_hd constexpr const T &max(const T &a, const T &) { return a; } template <class T> __hipify_hd constexpr const T &min(const T &a, const T &) { return a; } template <class T, class C> __hipify_hd const T &max(const T &, const T &, C);
template <class T, class C> __hipify_hd const T &min(const T &, const T &, C); template <class T> T max(initializer_list<T>); template <class T> T min(initializer_list<T>); template <class T> __hipify_hd constexpr const T &clamp(const T &a, const T &, const T &) { return a; } }
//: nullptr_t byte max_align_t
namespace std { typedef decltype(nullptr) nullptr_t; enum class byte : unsigned char {}; typedef long double max_align_t; }
